// What is due: the words for whoever deals, and where the keypad gives way to a pad of numbers.
export const dueOf = ({ table, you }) => you?.desk ?? table.next;
export const wantsNumber = ({ stage, enter }) => stage === "place" || (stage === "cut" && !enter);
export const wantsBets = (table) => table.stage === "betting";
