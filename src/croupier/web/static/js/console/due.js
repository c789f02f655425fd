// Where the keypad gives way to a pad of numbers.
export const wantsNumber = ({ stage, enter }) => stage === "place" || (stage === "cut" && !enter);
export const wantsBets = (table) => table.stage === "betting";
