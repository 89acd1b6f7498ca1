import { initial } from './0000_initial';
import { provenOrigins } from './0018_proven_origins';
import { instanceMembers } from './0019_instance_members';
import { promisedRoles } from './0020_promised_roles';
import { requestId } from './0021_request_id';

export const migrations = [initial, provenOrigins, instanceMembers, promisedRoles, requestId];
