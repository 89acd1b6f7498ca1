import type { ContentChanges, PublishWarning } from '@sheaf/contracts';
import { authorize, type Client } from '@sheaf/kernel';
import { affectedKeys, affectedOptions, contentChanges } from '../content/content-changes';
import { readContent } from '../content/payment';
import type { Deps } from '../deps';
import { loadForm, refuseTrashed } from '../form/load-form';
import { formTexts } from './form-texts';
import { latestContent } from './publish-form';
import { publishWarnings } from './publish-warnings';
import * as versions from './versions.queries';

export interface PublicationCheck {
  changes: ContentChanges;
  warnings: PublishWarning[];
  affectedKeys: string[];
  affectedOptions: { key: string; options: string[] }[];
}

const noContent = { fields: [] };

/** The changes that publishing the draft would make. Refuses what publishing would refuse. */
export async function checkPublication({ db }: Deps, caller: Client, { id }: { id: string }): Promise<PublicationCheck> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'publish this form');
  refuseTrashed(form);
  const draft = await versions.draftAndPublished(db, form.id);
  const content = readContent(draft);
  const latest = latestContent(draft);

  const changes = contentChanges(latest ?? noContent, content);
  return {
    changes,
    warnings: publishWarnings(content, latest, await formTexts(db, form)),
    affectedKeys: affectedKeys(changes),
    affectedOptions: affectedOptions(changes),
  };
}
