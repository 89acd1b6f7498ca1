import { z } from 'zod';
import { described } from '../described';
import { createdAt, ownId, role, text, trimmed, updatedAt, whole, wholeListOf } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { pathParam } from './params';

const label = <T extends z.ZodType>(shape: T) => described(shape, 'The label.', 'Inspections');
const icon = <T extends z.ZodType>(shape: T) => described(shape, 'The icon. An empty value becomes "folder".', 'folder');
const color = <T extends z.ZodType>(shape: T) => described(shape, 'The color; may be empty.', 'teal');
const parent = <T extends z.ZodType>(shape: T) =>
  described(shape, 'The parent folder; absent or null at the top level.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c03');
const sortOrder = <T extends z.ZodType>(shape: T) => described(shape, 'The position among its siblings; lower comes first.', 0);

export const FolderSummary = described(
  z.object({
    id: ownId(),
    label: label(z.string()),
    icon: icon(z.string()),
    color: color(z.string()),
    parent_id: parent(z.string().optional()),
    sort_order: sortOrder(z.int()),
    role: role(z.string()),
    created_at: createdAt(),
    updated_at: updatedAt(),
  }),
  'A folder of forms.',
);
carriedAs(FolderSummary, { message: 'Folder' });

export const FolderList = described(wholeListOf(FolderSummary), 'A list of folders.');
carriedAs(FolderList, { names: { data: 'folders' } });

export const FolderCreateRequest = described(
  z.object({
    label: label(trimmed(1, 100)),
    icon: icon(trimmed(0, 64).optional()),
    color: color(trimmed(0, 32).optional()),
    parent_id: parent(text(0, 64).optional()),
  }),
  'The folder to create.',
);

export const FolderUpdateRequest = described(
  z.object({
    label: label(trimmed(1, 100).optional()),
    icon: icon(trimmed(0, 64).optional()),
    color: color(trimmed(0, 32).optional()),
    parent_id: parent(text(0, 64).nullable().optional()),
    sort_order: sortOrder(whole(-2_147_483_648, 2_147_483_647).optional()),
  }),
  'Changes to a folder. Absent properties stay unchanged.',
);
carriedAs(FolderUpdateRequest, { message: 'FolderPatch' });

const path = '/api/v1/folders';
const ofFolder = { path: `${path}/:id`, params: { id: pathParam('id', "The folder's id.") } } as const;

export const listFolders = operation({
  method: 'get',
  path,
  summary: 'List folders',
  description: 'Lists the folders of the active workspace by sort order, label and id. The list is empty for a service account.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: FolderList,
  errors: [401],
  rpc: 'workspaces.ListFolders',
});

export const createFolder = operation({
  method: 'post',
  path,
  summary: 'Create a folder',
  description:
    "Creates a folder. Requires edit access to the workspace. A person's parent folder must be in their active workspace. A service account must name a parent.",
  access: { scope: 'forms:write' },
  body: FolderCreateRequest,
  status: 201,
  reply: FolderSummary,
  errors: [400, 401, 403],
  rpc: 'workspaces.CreateFolder',
});

export const updateFolder = operation({
  ...ofFolder,
  method: 'patch',
  summary: 'Update a folder',
  description:
    'Changes or moves a folder. Absent properties stay unchanged. A parent that would create a cycle is rejected. For owners and editors of the folder.',
  access: { scope: 'forms:write' },
  patch: FolderUpdateRequest,
  status: 200,
  reply: FolderSummary,
  errors: [400, 401, 403, 404],
  rpc: 'workspaces.UpdateFolder',
});

export const deleteFolder = operation({
  ...ofFolder,
  method: 'delete',
  summary: 'Delete a folder',
  description: 'Deletes a folder. Its forms become unfiled, and its subfolders move to its parent. For owners of the folder.',
  access: { scope: 'forms:write' },
  status: 204,
  errors: [401, 403, 404],
  rpc: 'workspaces.DeleteFolder',
});
