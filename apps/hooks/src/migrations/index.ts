import { initial } from './0000_initial';
import { instanceRoles } from './0008_instance_roles';
import { holders } from './0009_holders';
import { requestId } from './0010_request_id';
import { retry } from './0011_retry';
import { options } from './0012_options';
import { moreEvents } from './0013_more_events';

export const migrations = [initial, instanceRoles, holders, requestId, retry, options, moreEvents];
