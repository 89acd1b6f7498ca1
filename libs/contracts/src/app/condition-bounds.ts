/** The most that one condition may have, and all conditions of a form together: each submission has to be compared with all of them. */
export const conditionBounds = { depth: 5, terms: 50, termsPerForm: 5_000, searchesPerForm: 100 };
