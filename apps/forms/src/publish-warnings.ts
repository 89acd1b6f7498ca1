import { fieldsOf, type FormItem, type Payment } from '@sheaf/contracts';

/** The content of a version that respondents see. */
export interface Content {
  fields: readonly FormItem[];
  payment?: Payment | undefined;
}

/** The warnings about a publication. `previous` is the version before it, if any. */
export function publishWarnings({ fields, payment }: Content, previous: (Content & { version: number }) | undefined): string[] {
  const warnings = [...(fieldsOf(fields).length === 0 ? ['The form has no fields.'] : []), ...paymentWarnings(payment, previous)];
  if (!previous) return warnings;

  const { version } = previous;
  if (JSON.stringify([fields, payment]) === JSON.stringify([previous.fields, previous.payment]))
    return [...warnings, `Nothing has changed since version ${version}.`];

  const types = new Map(fieldsOf(fields).map(({ key, type }) => [key, type]));
  const kept = `Answers collected up to version ${version} remain readable.`;
  for (const { key, type } of fieldsOf(previous.fields)) {
    const now = types.get(key);
    if (now === undefined) warnings.push(`The field "${key}" of version ${version} was removed. ${kept}`);
    else if (now !== type) warnings.push(`The field "${key}" had type ${type} in version ${version} and now has type ${now}. ${kept}`);
  }
  return warnings;
}

function paymentWarnings(payment: Payment | undefined, previous: (Content & { version: number }) | undefined): string[] {
  const before = previous?.payment;
  if (payment && !before) {
    // This service does not know whether payments are set up, and that may change.
    return [`Respondents now pay ${printed(payment)}. If payments are not set up, the form accepts no submissions.`];
  }
  if (!previous || !before) return [];
  const { version } = previous;
  if (!payment) return [`Respondents paid ${printed(before)} in version ${version} and now pay nothing.`];
  return printed(payment) === printed(before)
    ? []
    : [`Respondents paid ${printed(before)} in version ${version} and now pay ${printed(payment)}.`];
}

const printed = ({ amount, currency }: Payment): string => `${amount} ${currency} (in the smallest unit)`;
