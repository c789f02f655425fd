// The five chips of the rack: the usual ones first, in the order of their worth.
const MOST = 5;
const UNUSUAL = 250;

export function rackOf({ chips }) {
  const sorted = [...chips].sort((a, b) => a - b);
  const usual = sorted.filter((chip) => chip !== UNUSUAL);
  return (usual.length >= MOST ? usual : sorted).slice(0, MOST);
}
