import { isIP } from 'node:net';
import { isPublicAddress } from '@sheaf/egress';
import { Problem, type Clock } from '@sheaf/kernel';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

export interface IntakeRates {
  /** Counts one attempt. @throws Problem `too_many_requests` when there were too many in this minute. */
  take: (formId: string, address: string | undefined) => void;
}

const windowMs = 60_000;
// So many addresses and forms are remembered at most, those that came last; rate-limiter-flexible has no such bound, and a timer for each.
const rememberedAddresses = 100_000;
const rememberedForms = 10_000;

/** Counted in this process and minute by minute: several copies let through as many times more. 0 is no limit. */
export function intakeRates(clock: Clock, limits: { perAddress: number; perForm: number }): IntakeRates {
  const byAddress = perMinute(limits.perAddress, rememberedAddresses);
  const byForm = perMinute(limits.perForm, rememberedForms);

  return {
    take(formId, address) {
      const now = clock.now().getTime();
      const sender = senderOf(address);
      // The address first: who is refused for their own sake takes nothing from everybody else at this form.
      const waitMs = (sender === undefined ? 0 : byAddress(`${formId} ${sender}`, now)) || byForm(formId, now);
      if (waitMs > 0) throw Problem.tooManyRequests('Too many submissions at once. Please try again in a minute.', Math.ceil(waitMs / 1_000));
    },
  };
}

/** @returns counts one, and gives how many milliseconds to wait: 0 if it is within the limit. */
function perMinute(limit: number, max: number): (key: string, now: number) => number {
  if (limit === 0) return () => 0;
  const windows = new LRUCache<string, { until: number; count: number }>({ max });
  return (key, now) => {
    const known = windows.get(key);
    const current = known && now < known.until ? known : { until: now + windowMs, count: 0 };
    if (current.count >= limit) return current.until - now;
    current.count++;
    windows.set(key, current);
    return 0;
  };
}

/**
 * Who is behind an address: for IPv6 the network, of which any customer has a whole one. Undefined for addresses that are not
 * public: what stands behind those is a proxy that nobody told us to trust, an office, or somebody on this machine, so many people.
 */
function senderOf(address: string | undefined): string | undefined {
  if (address === undefined || isIP(address) === 0) return undefined;
  // An IPv4 address may come dressed as IPv6.
  const parsed = ipaddr.process(address);
  if (!isPublicAddress(parsed)) return undefined;
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}
