import type { SessionTimes } from '../credentials/credentials.queries';
import { daysAfter } from '../days-after';
import type { Deps } from '../deps';
import type { SessionRow } from '../rows';

/** At this moment. */
export function sessionTimes({ clock, settings }: Pick<Deps, 'clock' | 'settings'>): SessionTimes {
  const now = clock.now();
  return { now, usedSince: daysAfter(now, -settings.SESSION_IDLE_DAYS) };
}

/** When a session ends unless it is used before. */
export const endsUnusedAt = ({ settings }: Pick<Deps, 'settings'>, { last_used_at, created_at, expires_at }: SessionRow): Date => {
  const idle = daysAfter(last_used_at ?? created_at, settings.SESSION_IDLE_DAYS);
  return idle < expires_at ? idle : expires_at;
};
