import { z } from 'zod';
import { instant, listOf, text, trimmed, whole } from '../shapes';

export const FolderSummary = z.object({
  id: z.string(),
  label: z.string(),
  icon: z.string(),
  color: z.string(),
  parent_id: z.string().optional(),
  sort_order: z.int(),
  role: z.string(),
  created_at: instant(),
  updated_at: instant(),
});

export const FolderList = listOf(FolderSummary);

const label = () => trimmed(1, 100);
/** An empty icon stands for "folder". */
const icon = () => trimmed(0, 64);
const color = () => trimmed(0, 32);

export const FolderCreateRequest = z.object({
  label: label(),
  icon: icon().optional(),
  color: color().optional(),
  parent_id: text(0, 64).optional(),
});

export const FolderUpdateRequest = z.object({
  label: label().optional(),
  icon: icon().optional(),
  color: color().optional(),
  parent_id: text(0, 64).nullable().optional(),
  sort_order: whole(-2_147_483_648, 2_147_483_647).optional(),
});
