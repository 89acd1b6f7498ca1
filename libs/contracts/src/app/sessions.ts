import { z } from 'zod';
import { instant, listOf, page } from '../shapes';

/** A session as its person sees it, to recognize it by. `address` is where they signed in. */
export const OwnSession = z.object({
  id: z.string(),
  created_at: instant(),
  last_used_at: instant(),
  expires_at: instant(),
  ends_unused_at: instant(),
  current: z.boolean(),
  user_agent: z.string().optional(),
  address: z.string().optional(),
});

export const SessionList = listOf(OwnSession);
export const SessionsQuery = z.object(page);
