/**
 * The lane in which a subscription waits. `unproven`: it has never answered. `quick`: it answers fast. `slow`: it was slow when we last
 * called it.
 */
export const lanes = ['quick', 'unproven', 'slow'] as const;
export type Lane = (typeof lanes)[number];
