import { FormUpdateRequest } from '@sheaf/contracts';
import { isId, Problem, type Client, type Respondent, type User } from '@sheaf/kernel';
import type { Deps } from '../deps';
import type { FormName, LogoRow, PublishedFormRow } from '../rows';
import type { Picture } from '../pictures/picture-bytes';
import { publishedPicture } from '../pictures/pictures.queries';
import * as settings from '../settings/settings.queries';
import * as versions from './versions.queries';

const isSlug = (text: string): boolean => FormUpdateRequest.shape.slug.safeParse(text).success;

function nameOf(form: string): FormName | undefined {
  if (isId(form)) return { id: form };
  return isSlug(form) ? { slug: form } : undefined;
}

/** The published form, by its id or slug: its latest version, or the given one. `submissions` decides whether it is open. */
export async function getPublishedForm(
  { db }: Deps,
  caller: Client | Respondent,
  { form, version }: { form: string; version: number | undefined },
): Promise<PublishedFormRow> {
  const name = nameOf(form);
  const published = name && (await versions.publishedForm(db, caller.instanceId, name, version));
  if (!published) throw Problem.notFound('form');
  return published;
}

/** The logo of a published form, by the form's id or slug. */
export async function getLogo({ db }: Deps, caller: User | Respondent, { form }: { form: string }): Promise<LogoRow> {
  const name = nameOf(form);
  const logo = name && (await settings.logoOf(db, caller.instanceId, name));
  if (!logo) throw Problem.notFound('logo');
  return logo;
}

/** A picture of an option in any version of a published form, by the form's id or slug: an earlier page may still be open. */
export async function getPublishedPicture(
  { db }: Deps,
  caller: User | Respondent,
  { form, picture: id }: { form: string; picture: string },
): Promise<Picture> {
  const name = nameOf(form);
  const picture = name && (await publishedPicture(db, caller.instanceId, name, id));
  if (!picture) throw Problem.notFound('picture');
  return picture;
}
