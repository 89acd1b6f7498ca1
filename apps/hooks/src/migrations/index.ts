import { initial } from './0000_initial';
import { instanceRoles } from './0008_instance_roles';
import { holders } from './0009_holders';

export const migrations = [initial, instanceRoles, holders];
