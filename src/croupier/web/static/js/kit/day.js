// A day in words; what is no whole day stays as it is.
const DAY = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" };

export const dayName = (day) => (/^\d{4}-\d\d-\d\d$/.test(day) ? new Date(day).toLocaleDateString("en-AU", DAY) : day);
