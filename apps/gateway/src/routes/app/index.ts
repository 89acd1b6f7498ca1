import type { Route } from '../../route';
import type { Services } from '../services';
import { account } from './account';
import { bulkChanges } from './bulk-changes';
import { corrections } from './corrections';
import { deliveries } from './deliveries';
import { documents } from './documents';
import { drafts } from './drafts';
import { erasing } from './erasing';
import { exports } from './exports';
import { imports } from './imports';
import { formsList } from './forms-list';
import { formSettings } from './form-settings';
import { insights } from './insights';
import { invitations } from './invitations';
import { lifecycle } from './lifecycle';
import { people } from './people';
import { preferences } from './preferences';
import { publishCheck } from './publish-check';
import { retention } from './retention';
import { search } from './search';
import { submissionChanges } from './submission-changes';
import { sessions } from './sessions';
import { webhookKeys } from './webhook-keys';
import { webhooks } from './webhooks';
import { views } from './views';

/** The interface of the application: everything that people need beyond the v1 contract. */
export const app = (services: Services): Route[] => [
  ...sessions(services),
  ...invitations(services),
  ...people(services),
  ...account(services),
  ...preferences(services),
  ...formsList(services),
  ...formSettings(services),
  ...documents(services),
  ...drafts(services),
  ...publishCheck(services),
  ...lifecycle(services),
  ...exports(services),
  ...imports(services),
  ...search(services),
  ...submissionChanges(services),
  ...insights(services),
  ...bulkChanges(services),
  ...views(services),
  ...corrections(services),
  ...erasing(services),
  ...retention(services),
  ...webhooks(services),
  ...deliveries(services),
  ...webhookKeys(services),
];
