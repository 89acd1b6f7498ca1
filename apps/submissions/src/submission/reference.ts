import { referenceDigits } from '@sheaf/contracts';

/** `referenceOf` in SQL, for a column with the id of a submission: pages of lists are printed by PostgreSQL. */
export function referenceSql(column: string): string {
  const byte = (n: number) => `get_byte(uuid_send(${column}), ${n})`;
  /** Five bits of two neighbouring bytes. */
  const digit = (high: number, shift: number) =>
    `substr('${referenceDigits}', 1 + ((((${byte(high)} << 8) | ${byte(high + 1)}) >> ${shift}) & 31), 1)`;
  const counter = [digit(9, 2), digit(9, 7)];
  const time = Array.from({ length: 8 }, (_, n) => digit(4 - Math.floor((5 * n) / 8), (5 * n) % 8));
  const all = [...counter, ...time];
  return [all.slice(0, 4), all.slice(4, 8), all.slice(8)].map((group) => group.join(' || ')).join(` || '-' || `);
}
