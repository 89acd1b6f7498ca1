import { outboxMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { announced } from './0002_announced';
import { lifecycle } from './0003_lifecycle';

export const migrations = [outboxMigration, initial, announced, lifecycle];
