// A value that can be watched. Pages are drawn from such stores and from nothing else.
import { useEffect, useState } from "./html.js";

export function store(initial) {
  let value = initial;
  const watchers = new Set();
  return {
    get: () => value,
    set(next) {
      value = typeof next === "function" ? next(value) : next;
      for (const watcher of [...watchers]) watcher(value);
    },
    change(fields) {
      this.set({ ...value, ...fields });
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

export function useStore(watched) {
  const [value, setValue] = useState(watched.get());
  useEffect(() => {
    setValue(watched.get());
    return watched.watch((next) => setValue(() => next));
  }, [watched]);
  return value;
}
