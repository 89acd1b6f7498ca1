import { Failure } from '../failure';

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the disk takes no file of this size',
  EROFS: 'the disk is read-only',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  ENOTDIR: 'a part of the path is no folder',
};

/** Faults of a disk that the operator can mend, in words; any other error as it is. */
export function diskFailure(error: unknown, what: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = reasons[code];
  return reason === undefined ? error : new Failure('unavailable', `${what}: ${reason}. Nothing of it was kept.`, 1, { cause: error });
}
