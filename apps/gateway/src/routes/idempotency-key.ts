import { IdempotencyKey } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';

/** Reads the header `Idempotency-Key`. @throws Problem `bad_request` */
export function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const parsed = IdempotencyKey.safeParse(header);
  if (!parsed.success) throw Problem.badRequest('Idempotency-Key: must be 1 to 255 visible ASCII characters');
  return parsed.data;
}
