/** The Net Promoter Score: the scale that it needs, and the lowest steps of those who are content and of those who would recommend. */
export const nps = { min: 0, max: 10, passivesFrom: 7, promotersFrom: 9 };
