/** Something that one service has and another one lacks. */
export type Kind = keyof typeof meanings;

export interface Meaning {
  /** The missing things, after their number: “12 submissions …”. */
  text: string;
  /** The remedy. */
  advice: string;
}

/** The order is that of the answer: the worst first. */
export const meanings = {
  form_missing: {
    text: 'submissions are of a form that forms does not have',
    advice: 'Nobody can read them until forms has the form again: see “One database was restored alone” in docs/runbooks.md.',
  },
  version_missing: {
    text: 'submissions were made against a version that forms does not have',
    advice: 'They are kept, and shown under the keys of their answers only. A newer backup of forms may have the version.',
  },
  event_missing: {
    text: 'submissions were announced, and delivery never heard of it',
    advice:
      '--repair announces them again. Their webhooks are held back, as they may have been sent: deliveries redeliver --reason restored.',
  },
  event_unsure: {
    text: 'submissions were perhaps announced: fewer events have their form and millisecond than submissions',
    advice: 'Nobody listened to these events then. Compare with the receivers of the form, if it has any now.',
  },
  file_missing: {
    text: 'files of submissions are not in the storage, or not whole',
    advice:
      'Their download answers an error, or breaks off. Look for them in another copy of the files, and put them back under <instance>/<form>/<file>.',
  },
  file_unknown: {
    text: 'files in the storage belong to nothing that submissions knows',
    advice:
      'They do no harm. They are of submissions that were erased, or accepted after the backup: keep them until nobody can ask for those.',
  },
  subscription_untold: {
    text: 'webhooks are not known to delivery as hooks has them',
    advice: '--repair tells delivery of them.',
  },
  subscription_lost: {
    text: 'webhooks are known to delivery and not to hooks, so nothing is sent to them',
    advice:
      'Hooks has lost them, or delivery did not hear that they were removed: the audit log says which. Make those anew that were lost.',
  },
  subscription_behind: {
    text: 'webhooks changed after what hooks knows of them',
    advice:
      'Delivery goes by the later change. Make each anew as it should be, and remove the old one: a change of the old one would not be heard.',
  },
  subscription_unheard: {
    text: 'webhooks were switched off by delivery, and hooks did not hear of it',
    advice: 'Nothing is sent to them. Switch each off and on again, if its receiver is well.',
  },
  webhook_form_missing: {
    text: 'webhooks are of a form that forms does not have',
    advice: 'They send nothing. If the form was lost, they come back to life with it.',
  },
  workspace_missing: {
    text: 'forms or webhooks are in a workspace that workspaces does not have',
    advice: 'Nobody can reach them until workspaces has the workspace again: see “One database was restored alone” in docs/runbooks.md.',
  },
  workspace_erased: {
    text: 'forms or webhooks came back that were erased with their workspace',
    advice: 'Erase them again: forms erase.',
  },
} as const satisfies Record<string, Meaning>;

/** How many ids of each kind are kept as examples. */
const maxExamples = 20;

/** All that was found, in memory that does not grow with it. */
export class Findings {
  private readonly found = new Map<Kind, { count: number; mended: number; ids: string[] }>();

  add(kind: Kind, ids: readonly string[], count = ids.length): void {
    if (count === 0) return;
    const of = this.of(kind);
    of.count += count;
    of.ids.push(...ids.slice(0, maxExamples - of.ids.length));
  }

  mended(kind: Kind, count: number): void {
    if (count > 0) this.of(kind).mended += count;
  }

  /** Those of which there are some. */
  list(): { kind: Kind; count: number; mended: number; ids: string[] }[] {
    return (Object.keys(meanings) as Kind[]).flatMap((kind) => {
      const of = this.found.get(kind);
      return of ? [{ kind, ...of }] : [];
    });
  }

  private of(kind: Kind) {
    const of = this.found.get(kind) ?? { count: 0, mended: 0, ids: [] };
    this.found.set(kind, of);
    return of;
  }
}
