import { z } from 'zod';
import { SubmitRequest } from '../public/intake';

export const DraftTrialRequest = SubmitRequest.pick({ data: true });

/** Why an answer would be refused. */
export const AnswerFaultDetail = z.object({
  key: z.string(),
  code: z.string(),
  params: z.record(z.string(), z.union([z.number(), z.string()])),
  message: z.string(),
});

/** `visible` has the keys of the fields that the answers show, in their order. */
export const DraftTrial = z.object({ valid: z.boolean(), faults: z.array(AnswerFaultDetail), visible: z.array(z.string()) });
