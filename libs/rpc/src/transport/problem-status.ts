import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { Problem, type AnswerFault, type ProblemCode } from '@sheaf/kernel';
import { metadataKeys } from '../call';

// A new code does not compile until it is added here.
const grpcStatus = {
  bad_request: status.INVALID_ARGUMENT,
  unauthorized: status.UNAUTHENTICATED,
  authentication_required: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  insufficient_scope: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  payload_too_large: status.RESOURCE_EXHAUSTED,
  conflict: status.ABORTED,
  cursor_expired: status.OUT_OF_RANGE,
  too_many_requests: status.RESOURCE_EXHAUSTED,
  internal_error: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
} satisfies Record<ProblemCode, status>;

interface SentProblem {
  code: ProblemCode;
  message: string;
  details?: readonly AnswerFault[];
  retryAfterSeconds?: number;
}

/** Converts a problem to the final status of a call. The trailer carries the whole problem, because a gRPC status cannot hold our code. */
export function toStatus(problem: Problem): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set(metadataKeys.problem, toBytes(problem));
  return { code: grpcStatus[problem.code], details: problem.message, metadata };
}

/** The part of a problem that is sent to a neighbour: everything except its cause. */
export function toBytes({ code, message, details, retryAfterSeconds }: Problem): Buffer {
  const sent: SentProblem = {
    code,
    message,
    ...(details ? { details } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return Buffer.from(JSON.stringify(sent));
}

/** Restores the problem on the other side. */
export function fromBytes(bytes: Buffer, cause?: unknown): Problem {
  const { code, message, details, retryAfterSeconds } = JSON.parse(bytes.toString()) as SentProblem;
  return new Problem(code, message, { details, retryAfterSeconds, cause });
}

const neighbourIsDown = new Set<status>([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED]);

/** Returns the problem that a neighbour sent; if it sent none, the one that fits the failure of the call. */
export function fromStatus(error: ServiceError): Problem {
  // Absent if the connection failed rather than the neighbour.
  const [trailer] = (error.metadata as Metadata | undefined)?.get(metadataKeys.problem) ?? [];
  if (trailer !== undefined) return fromBytes(Buffer.from(trailer), error);
  return neighbourIsDown.has(error.code) ? Problem.unavailable(error) : Problem.internal(error);
}
