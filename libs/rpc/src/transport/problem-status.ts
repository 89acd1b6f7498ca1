import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { Problem, type AnswerFault, type ProblemCode } from '@sheaf/kernel';
import { metadataKeys } from '../call';

// A new code does not compile until this edge knows it.
const grpcStatus = {
  bad_request: status.INVALID_ARGUMENT,
  unauthorized: status.UNAUTHENTICATED,
  authentication_required: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  insufficient_scope: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  payload_too_large: status.RESOURCE_EXHAUSTED,
  conflict: status.ABORTED,
  too_many_requests: status.RESOURCE_EXHAUSTED,
  internal_error: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
} satisfies Record<ProblemCode, status>;

interface Told {
  code: ProblemCode;
  message: string;
  details?: readonly AnswerFault[];
  retryAfterSeconds?: number;
}

/** A problem as the status that ends a call. The whole of it travels in the trailer: a gRPC status alone cannot name our code. */
export function toStatus(problem: Problem): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set(metadataKeys.problem, toBytes(problem));
  return { code: grpcStatus[problem.code], details: problem.message, metadata };
}

/** What a neighbour is told of a problem: all but its cause. */
export function toBytes({ code, message, details, retryAfterSeconds }: Problem): Buffer {
  const told: Told = { code, message, ...(details ? { details } : {}), ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  return Buffer.from(JSON.stringify(told));
}

/** The same problem on the other side. */
export function fromBytes(bytes: Buffer, cause?: unknown): Problem {
  const { code, message, details, retryAfterSeconds } = JSON.parse(bytes.toString()) as Told;
  return new Problem(code, message, { details, retryAfterSeconds, cause });
}

const neighbourIsAway = new Set<status>([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED]);

/** The problem that a neighbour told us, or what its silence means. */
export function fromStatus(error: ServiceError): Problem {
  // Absent when the failure came from the connection and not from the neighbour.
  const [trailer] = (error.metadata as Metadata | undefined)?.get(metadataKeys.problem) ?? [];
  if (trailer !== undefined) return fromBytes(Buffer.from(trailer), error);
  return neighbourIsAway.has(error.code) ? Problem.unavailable(error) : Problem.internal(error);
}
