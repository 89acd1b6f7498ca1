import { Problem, publicNetwork, type Clock } from '@sheaf/kernel';
import { PerMinute } from '@sheaf/runtime';

/** Counts one attempt. @throws Problem `too_many_requests` after too many in this minute. */
export type IntakeRate = (formId: string, address: string | undefined) => void;

const maxAddresses = 100_000;
const maxForms = 10_000;

/** Counted per process and minute: several replicas together let through a multiple. 0 means no limit. */
export function intakeRate(clock: Clock, what: string, limits: { perAddress: number; perForm: number }): IntakeRate {
  const byAddress = perMinuteLimit(limits.perAddress, maxAddresses);
  const byForm = perMinuteLimit(limits.perForm, maxForms);

  return (formId, address) => {
    const now = clock.now().getTime();
    const sender = publicNetwork(address);
    // Check the address first: a client refused for its own rate does not use up the form's.
    const waitMs = (sender === undefined ? 0 : byAddress(`${formId} ${sender}`, now)) || byForm(formId, now);
    if (waitMs > 0) throw Problem.tooManyRequests(`Too many ${what} at once. Please try again in a minute.`, Math.ceil(waitMs / 1_000));
  };
}

/** Counts one attempt. @returns how many milliseconds to wait: 0 if it is within the limit */
function perMinuteLimit(limit: number, max: number): (key: string, now: number) => number {
  if (limit === 0) return () => 0;
  const counts = new PerMinute(max);
  return (key, now) => {
    const { count, until } = counts.count(key, now);
    return count > limit ? until - now : 0;
  };
}
