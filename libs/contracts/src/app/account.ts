import { z } from 'zod';
import { trimmed, workspaceSlug } from '../shapes';
import { WorkspaceSummary } from '../operations/workspaces';

/** A workspace as seen by people who may change it. */
export const OwnWorkspace = WorkspaceSummary.extend({ slug: z.string() });

const name = () => trimmed(1, 100);
const color = () => trimmed(0, 32);

export const WorkspaceCreateRequest = z.object({ name: name(), slug: workspaceSlug().optional(), color: color().optional() });
export const WorkspaceUpdateRequest = z.object({
  name: name().optional(),
  slug: workspaceSlug().optional(),
  color: color().nullable().optional(),
});
