import { z } from 'zod';
import { instant, listOf, oneOf, page } from '../shapes';

export const submissionStatuses = ['new', 'in_review', 'approved', 'rejected', 'archived', 'pending_payment'] as const;

export const Submission = z.object({
  id: z.string(),
  form_id: z.string(),
  data: z.record(z.string(), z.unknown()),
  schema_version: z.int(),
  status: z.string(),
  created_at: instant(),
});

export const SubmissionList = listOf(Submission);

export const SubmissionsQuery = z.object({ ...page, status: oneOf(submissionStatuses).optional() });

export const StatusRequest = z.object({ status: oneOf(submissionStatuses) });
