import { initial } from './0000_initial';
import { keptUnderHold } from './0013_kept_under_hold';
import { keepingRevision } from './0014_keeping_revision';
import { grantsToTell } from './0015_grants_to_tell';
import { versionId } from './0016_version_id';
import { requestId } from './0017_request_id';
import { views } from './0018_views';
import { exportPresets } from './0019_export_presets';
import { formPicture } from './0021_form_picture';
import { creationKey } from './0022_creation_key';

export const migrations = [
  initial,
  keptUnderHold,
  keepingRevision,
  grantsToTell,
  versionId,
  requestId,
  views,
  exportPresets,
  formPicture,
  creationKey,
];
