import type { Field, Payment } from '@sheaf/contracts';

/** What respondents meet in a version. */
export interface Content {
  fields: readonly Field[];
  payment?: Payment | undefined;
}

/** What a careful person would want to know about a publication. `previous` is the version before it, if there was one. */
export function publishWarnings({ fields, payment }: Content, previous: (Content & { version: number }) | undefined): string[] {
  const warnings = [...(fields.length === 0 ? ['The form has no fields.'] : []), ...paymentWarnings(payment, previous)];
  if (!previous) return warnings;

  const { version } = previous;
  if (JSON.stringify([fields, payment]) === JSON.stringify([previous.fields, previous.payment])) return [...warnings, `Nothing has changed since version ${version}.`];

  const types = new Map(fields.map(({ key, type }) => [key, type]));
  const kept = `Answers collected up to version ${version} stay readable as they were.`;
  for (const { key, type } of previous.fields) {
    const now = types.get(key);
    if (now === undefined) warnings.push(`The field "${key}" of version ${version} was removed. ${kept}`);
    else if (now !== type) warnings.push(`The field "${key}" was of type ${type} in version ${version} and is of type ${now} now. ${kept}`);
  }
  return warnings;
}

function paymentWarnings(payment: Payment | undefined, previous: (Content & { version: number }) | undefined): string[] {
  const before = previous?.payment;
  if (payment && !before) {
    // Whether they are set up is not known here, and may change.
    return [`Respondents pay ${printed(payment)} from now on. Where payments are not set up, the form takes no submissions.`];
  }
  if (!previous || !before) return [];
  const { version } = previous;
  if (!payment) return [`Respondents paid ${printed(before)} in version ${version} and pay nothing from now on.`];
  return printed(payment) === printed(before) ? [] : [`Respondents paid ${printed(before)} in version ${version} and pay ${printed(payment)} from now on.`];
}

const printed = ({ amount, currency }: Payment): string => `${amount} ${currency} (in the smallest unit)`;
