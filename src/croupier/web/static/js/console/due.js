// Where the keypad gives way to a pad of numbers.
export const wantsNumber = (table) => table.stage === "place" || table.due === "cut";
export const wantsBets = (table) => table.stage === "betting";
