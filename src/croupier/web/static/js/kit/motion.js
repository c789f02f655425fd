// Motion is decoration: any press finishes it at once.
const finish = () => {
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
};

export function hurryOnPress() {
  addEventListener("pointerdown", finish, true);
  addEventListener("keydown", finish, true);
  document.addEventListener("visibilitychange", finish);
}
