import { initial } from './0000_initial';
import { skipped } from './0017_skipped';
import { why } from './0018_why';
import { listened } from './0019_listened';
import { noFormerFunctions } from './0101_no_former_functions';
import { requestId } from './0020_request_id';
import { restored } from './0021_restored';
import { retry } from './0022_retry';
import { options } from './0023_options';
import { connection } from './0024_connection';
import { allResponses } from './0025_all_responses';
import { passedOver } from './0026_passed_over';
import { filter } from './0027_filter';
import { attemptsByTime } from './0028_attempts_by_time';
import { listening } from './0029_listening';
import { batches } from './0030_batches';
import { leftBatches } from './0031_left_batches';

export const migrations = [
  initial,
  skipped,
  why,
  listened,
  noFormerFunctions,
  requestId,
  restored,
  retry,
  options,
  connection,
  allResponses,
  passedOver,
  filter,
  attemptsByTime,
  listening,
  batches,
  leftBatches,
];
