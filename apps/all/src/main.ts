// All apps in one process, for small installs: docs/decisions/0053-one-process.md.
import { app as delivery } from '@sheaf/apps/delivery';
import { app as forms } from '@sheaf/apps/forms';
import { app as gateway } from '@sheaf/apps/gateway';
import { app as hooks } from '@sheaf/apps/hooks';
import { app as pages } from '@sheaf/apps/pages';
import { app as submissions } from '@sheaf/apps/submissions';
import { app as workspaces } from '@sheaf/apps/workspaces';
import { runApps } from '@sheaf/runtime';

void runApps('all', [gateway, workspaces, forms, submissions, hooks, delivery, pages]);
