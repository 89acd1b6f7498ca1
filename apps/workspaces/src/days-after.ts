export const daysAfter = (date: Date, days: number): Date => new Date(date.getTime() + days * 24 * 60 * 60 * 1_000);
