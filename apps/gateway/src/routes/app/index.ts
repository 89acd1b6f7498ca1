import type { Route } from '../../route';
import type { Services } from '../services';
import { auditLog } from './audit-log';
import { deliveries } from './deliveries';
import { drafts } from './drafts';
import { lifecycle } from './lifecycle';
import { people } from './people';
import { webhookKeys } from './webhook-keys';

/** The application's own interface: what people need around the v1 contract. */
export const app = (services: Services): Route[] => [
  ...people(services),
  ...drafts(services),
  ...deliveries(services),
  ...webhookKeys(services),
  ...auditLog(services),
  ...lifecycle(services),
];
