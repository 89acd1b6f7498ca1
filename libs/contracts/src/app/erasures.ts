import { z } from 'zod';
import { cursorPage, instant, text } from '../shapes';
import { AuditActor } from './audit-log';

/** The caller's password, because an open session alone must not be enough to erase its person. */
export const ProfileEraseRequest = z.object({ password: text(1, 200) });

export const erasureKinds = ['submission', 'submissions', 'form', 'person', 'workspace'] as const;
export const erasureReasons = ['requested', 'retention', 'person'] as const;

/** `confirmed_at` and `counts` are absent until the service has erased all that it had. */
export const ErasureService = z.object({
  service: z.string(),
  confirmed_at: instant().optional(),
  counts: z.record(z.string(), z.int()).optional(),
});

/** `target_id`: the submission, form, person or workspace; of several submissions, their form. It is `done` once each service has confirmed it. */
export const Erasure = z.object({
  id: z.string(),
  kind: z.enum(erasureKinds),
  target_id: z.string(),
  form_id: z.string().optional(),
  workspace_id: z.string().optional(),
  reason: z.enum(erasureReasons),
  requested_by: AuditActor.pick({ kind: true, id: true }),
  requested_at: instant(),
  state: z.enum(['running', 'done']),
  services: z.array(ErasureService),
});

export const ErasureList = z.object({ data: z.array(Erasure), next_cursor: z.string().nullable() });

export const ErasuresQuery = z.object(cursorPage);
