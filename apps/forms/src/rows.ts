import type { formStatuses, publishModes } from '@sheaf/contracts';
import type { Client, FormRole } from '@sheaf/kernel';

export type FormStatus = (typeof formStatuses)[number];
export type PublishMode = (typeof publishModes)[number];

export interface FormRow {
  id: string;
  instance_id: string;
  workspace_id: string;
  /** Null while the form is unfiled. */
  folder_id: string | null;
  creator_kind: Client['kind'];
  creator_id: string;
  title: string;
  slug: string | null;
  status: FormStatus;
  /** Set only while the form is in the trash. */
  status_before_trash: Exclude<FormStatus, 'trashed'> | null;
  /** 0 until the form is published. */
  current_version: number;
  publish_mode: PublishMode;
  opens_at: Date | null;
  closes_at: Date | null;
  max_submissions: number | null;
  closed_message: string | null;
  timezone: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A form with the caller's grant and favourite. */
export interface SeenFormRow extends FormRow {
  /** The caller's granted role on the form. */
  granted: FormRole | null;
  favorite: boolean;
}

export type FormSummaryRow = Pick<FormRow, 'id' | 'title' | 'status' | 'current_version' | 'created_at' | 'updated_at'>;

/** A form in a list. */
export interface ListedFormRow extends SeenFormRow {
  /** Whether the draft differs from the latest version. */
  unpublished_changes: boolean;
}

/** The facts from which the role of every caller on a form follows. */
export interface FormAccessRow extends Pick<FormRow, 'id' | 'workspace_id' | 'creator_kind' | 'creator_id' | 'status'> {
  grants: Record<string, FormRole>;
}

/** `fields` and `payment` are JSON text, here and below; without a payment, submissions are free. */
export interface DraftRow {
  form_id: string;
  fields: string;
  payment: string | null;
  revision: number;
  updated_at: Date;
}

export interface VersionRow {
  /** Never used again, unlike the number. */
  id: string;
  form_id: string;
  number: number;
  fields: string;
  payment: string | null;
  published_by_kind: Client['kind'];
  published_by_id: string;
  published_at: Date;
}

/** A draft with the content of the latest version; null before the first publication. */
export interface PendingRow extends DraftRow {
  published_version: number | null;
  published_fields: string | null;
  published_payment: string | null;
}

export interface PublishedFormRow extends Pick<
  FormRow,
  'id' | 'title' | 'status' | 'opens_at' | 'closes_at' | 'max_submissions' | 'closed_message' | 'timezone'
> {
  version: number;
  version_id: string;
  published_at: Date;
  fields: string;
  payment: string | null;
  /** As stored: the JSON text of a `SettingsRow`, with the hash of the access code. */
  settings: string;
}

/** Identifies a form within an instance. */
export type FormName = { id: string } | { slug: string };

export interface LogoRow {
  logo_type: string;
  logo: Buffer;
}

/** The settings that v1 does not know, as JSON text with the hash of the logo in its place. */
export interface SettingsRow {
  settings: string;
  /** The hash of the code that respondents need; stored with the settings (`withAccessHash`). */
  access_hash: string | undefined;
  logo_type: string | null;
  logo: Buffer | null;
}
