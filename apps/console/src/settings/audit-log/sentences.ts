import type { AuditAction, AuditDetails } from '@sheaf/client';
import { defineWords } from '../../words/words';

/** What a sentence about an entry may name. */
export interface Facts {
  who: string;
  /** The form, by title if it is known. */
  form: string;
  /** The person whom the action was about, by name if it is known. */
  whom: string;
  details: AuditDetails;
}

/** A sentence for each action. One without a sentence does not compile. */
type Sentences = Record<AuditAction, (facts: Facts) => string>;

const en = {
  'session.created': ({ who, details }) =>
    details.signed_in_with === 'link' ? `${who} signed in with a link of the operator` : `${who} signed in`,
  'session.failed': ({ whom }) => `Somebody failed to sign in as ${whom}`,
  'session.ended': ({ who }) => `${who} ended a session`,
  'sessions.ended': ({ who, details }) => `${who} ended other sessions: ${details.count ?? 0}`,
  'sign_in_link.created': ({ who, whom }) => `${who} made a link that signs ${whom} in`,
  'invitation.accepted': ({ who }) => `${who} accepted an invitation`,
  'invitation.renewed': ({ who, whom }) => `${who} made a new invitation link for ${whom}`,
  'invitation.revoked': ({ who, whom }) => `${who} revoked the invitation of ${whom}`,
  'api_key.created': ({ who }) => `${who} created an API key`,
  'api_key.revoked': ({ who }) => `${who} revoked an API key`,
  'service_account.created': ({ who }) => `${who} created a service account`,
  'service_account.deleted': ({ who }) => `${who} deleted a service account`,
  'service_account.updated': ({ who }) => `${who} changed a service account`,
  'service_account.key_created': ({ who }) => `${who} created a second key of a service account`,
  'service_account.key_revoked': ({ who }) => `${who} revoked a key of a service account`,
  'profile.updated': ({ who }) => `${who} changed their profile`,
  'password.changed': ({ who }) => `${who} changed their password`,
  'person.erased': ({ who, whom }) => `${who} erased ${whom} for good`,
  'instance.created': ({ who }) => `${who} set up this instance`,
  'instance.updated': ({ who }) => `${who} changed the settings of this instance`,
  'instance.erased': ({ who }) => `${who} erased an instance for good`,
  'instance_member.added': ({ who, whom, details }) => `${who} gave ${whom} the role ${details.role ?? '–'} in the instance`,
  'instance_member.role_changed': ({ who, whom, details }) =>
    `${who} changed the role of ${whom} in the instance to ${details.role ?? '–'}`,
  'instance_member.removed': ({ who, whom }) => `${who} took the role of ${whom} in the instance away`,
  'workspace.created': ({ who }) => `${who} created a workspace`,
  'workspace.updated': ({ who }) => `${who} changed a workspace`,
  'workspace.erased': ({ who }) => `${who} erased a workspace for good`,
  'member.added': ({ who, whom, details }) => `${who} added ${whom} with the role ${details.role ?? '–'}`,
  'member.removed': ({ who, whom }) => `${who} removed ${whom} from a workspace`,
  'member.role_changed': ({ who, whom, details }) => `${who} gave ${whom} the role ${details.role ?? '–'}`,
  'folder.created': ({ who }) => `${who} created a folder`,
  'folder.updated': ({ who }) => `${who} changed a folder`,
  'folder.deleted': ({ who }) => `${who} deleted a folder`,
  'form.created': ({ who, form, details }) =>
    details.copied_from === undefined ? `${who} created ${form}` : `${who} duplicated a form as ${form}`,
  'form.updated': ({ who, form }) => `${who} changed the settings of ${form}`,
  'form.moved': ({ who, form, details }) =>
    `${who} moved ${form} to another ${details.to_workspace_id === undefined ? 'folder' : 'workspace'}`,
  'form.published': ({ who, form, details }) => `${who} published version ${details.version ?? '–'} of ${form}`,
  'form.trashed': ({ who, form }) => `${who} moved ${form} to the trash`,
  'form.restored': ({ who, form }) => `${who} took ${form} out of the trash`,
  'form.erased': ({ who, form }) => `${who} erased ${form} for good`,
  'grant.given': ({ who, form, whom, details }) => `${who} shared ${form} with ${whom} as ${details.role ?? '–'}`,
  'grant.removed': ({ who, form, whom }) => `${who} stopped sharing ${form} with ${whom}`,
  'draft.saved': ({ who, form, details }) =>
    details.version === undefined
      ? `${who} changed the draft of ${form}`
      : `${who} took the draft of ${form} back to version ${details.version}`,
  'submission.entered': ({ who, form }) => `${who} entered a submission to ${form}`,
  'submission.status_changed': ({ who, form, details }) =>
    `${who} changed the status of a submission to ${form} from ${details.from_status ?? '–'} to ${details.to_status ?? '–'}`,
  'submission.corrected': ({ who, form }) => `${who} corrected a submission to ${form}`,
  'submission.note_added': ({ who, form }) => `${who} added a note to a submission to ${form}`,
  'submission.note_updated': ({ who, form }) => `${who} changed a note on a submission to ${form}`,
  'submission.note_deleted': ({ who, form }) => `${who} deleted a note on a submission to ${form}`,
  'submission.assigned': ({ who, form, whom, details }) =>
    details.assignee === undefined
      ? `${who} assigned a submission to ${form} to nobody`
      : `${who} assigned a submission to ${form} to ${whom}`,
  'submission.deleted': ({ who, form }) => `${who} moved a submission to ${form} to the trash`,
  'submission.restored': ({ who, form }) => `${who} took a submission to ${form} out of the trash`,
  'submission.erased': ({ who, form }) => `${who} erased a submission to ${form} for good`,
  'submissions.erased': ({ who, form, details }) => `${who} erased submissions to ${form} for good: ${details.count ?? '–'}`,
  'submission.marked_as_spam': ({ who, form }) => `${who} marked a submission to ${form} as spam`,
  'submission.released': ({ who, form }) => `${who} marked a submission to ${form} as no spam`,
  'submissions.exported': ({ who, form, details }) =>
    `${who} exported the submissions to ${form} as ${(details.format ?? 'a file').toUpperCase()}`,
  'file.downloaded': ({ who, form }) => `${who} downloaded a file sent to ${form}`,
  'hook.subscribed': ({ who, form }) => `${who} subscribed an application to ${form}`,
  'hook.unsubscribed': ({ who, form }) => `${who} ended the subscription of an application to ${form}`,
  'hook.deactivated': ({ who, details }) =>
    `${who} switched off a webhook${details.reason === 'gone' ? ': its address is gone' : details.reason === 'failing' ? ': it failed for too long' : ''}`,
  'webhook.created': ({ who }) => `${who} created a webhook`,
  'webhook.updated': ({ who }) => `${who} changed a webhook`,
  'webhook.deleted': ({ who }) => `${who} deleted a webhook`,
  'webhook_key.rotated': ({ who }) => `${who} rotated the keys of webhooks`,
  'delivery.redelivered': ({ who, details }) =>
    details.count === undefined ? `${who} sent a delivery again` : `${who} sent deliveries again: ${details.count}`,
} satisfies Sentences;

const de = {
  'session.created': ({ who, details }) =>
    details.signed_in_with === 'link' ? `${who} hat sich mit einem Link des Betreibers angemeldet` : `${who} hat sich angemeldet`,
  'session.failed': ({ whom }) => `Eine Anmeldung als ${whom} ist gescheitert`,
  'session.ended': ({ who }) => `${who} hat eine Sitzung beendet`,
  'sessions.ended': ({ who, details }) => `${who} hat andere Sitzungen beendet: ${details.count ?? 0}`,
  'sign_in_link.created': ({ who, whom }) => `${who} hat einen Anmeldelink für ${whom} erstellt`,
  'invitation.accepted': ({ who }) => `${who} hat eine Einladung angenommen`,
  'invitation.renewed': ({ who, whom }) => `${who} hat einen neuen Einladungslink für ${whom} erstellt`,
  'invitation.revoked': ({ who, whom }) => `${who} hat die Einladung von ${whom} zurückgezogen`,
  'api_key.created': ({ who }) => `${who} hat einen API-Schlüssel angelegt`,
  'api_key.revoked': ({ who }) => `${who} hat einen API-Schlüssel widerrufen`,
  'service_account.created': ({ who }) => `${who} hat ein Dienstkonto angelegt`,
  'service_account.deleted': ({ who }) => `${who} hat ein Dienstkonto gelöscht`,
  'service_account.updated': ({ who }) => `${who} hat ein Dienstkonto geändert`,
  'service_account.key_created': ({ who }) => `${who} hat einen zweiten Schlüssel eines Dienstkontos angelegt`,
  'service_account.key_revoked': ({ who }) => `${who} hat einen Schlüssel eines Dienstkontos widerrufen`,
  'profile.updated': ({ who }) => `${who} hat das eigene Profil geändert`,
  'password.changed': ({ who }) => `${who} hat das eigene Passwort geändert`,
  'person.erased': ({ who, whom }) => `${who} hat ${whom} endgültig gelöscht`,
  'instance.created': ({ who }) => `${who} hat diese Instanz eingerichtet`,
  'instance.updated': ({ who }) => `${who} hat die Einstellungen dieser Instanz geändert`,
  'instance.erased': ({ who }) => `${who} hat eine Instanz endgültig gelöscht`,
  'instance_member.added': ({ who, whom, details }) => `${who} hat ${whom} in der Instanz die Rolle ${details.role ?? '–'} gegeben`,
  'instance_member.role_changed': ({ who, whom, details }) =>
    `${who} hat die Rolle von ${whom} in der Instanz auf ${details.role ?? '–'} geändert`,
  'instance_member.removed': ({ who, whom }) => `${who} hat ${whom} die Rolle in der Instanz genommen`,
  'workspace.created': ({ who }) => `${who} hat einen Arbeitsbereich angelegt`,
  'workspace.updated': ({ who }) => `${who} hat einen Arbeitsbereich geändert`,
  'workspace.erased': ({ who }) => `${who} hat einen Arbeitsbereich endgültig gelöscht`,
  'member.added': ({ who, whom, details }) => `${who} hat ${whom} mit der Rolle ${details.role ?? '–'} hinzugefügt`,
  'member.removed': ({ who, whom }) => `${who} hat ${whom} aus einem Arbeitsbereich entfernt`,
  'member.role_changed': ({ who, whom, details }) => `${who} hat ${whom} die Rolle ${details.role ?? '–'} gegeben`,
  'folder.created': ({ who }) => `${who} hat einen Ordner angelegt`,
  'folder.updated': ({ who }) => `${who} hat einen Ordner geändert`,
  'folder.deleted': ({ who }) => `${who} hat einen Ordner gelöscht`,
  'form.created': ({ who, form, details }) =>
    details.copied_from === undefined ? `${who} hat ${form} erstellt` : `${who} hat ein Formular als ${form} dupliziert`,
  'form.updated': ({ who, form }) => `${who} hat die Einstellungen von ${form} geändert`,
  'form.moved': ({ who, form, details }) =>
    `${who} hat ${form} in einen anderen ${details.to_workspace_id === undefined ? 'Ordner' : 'Arbeitsbereich'} verschoben`,
  'form.published': ({ who, form, details }) => `${who} hat Version ${details.version ?? '–'} von ${form} veröffentlicht`,
  'form.trashed': ({ who, form }) => `${who} hat ${form} in den Papierkorb gelegt`,
  'form.restored': ({ who, form }) => `${who} hat ${form} aus dem Papierkorb geholt`,
  'form.erased': ({ who, form }) => `${who} hat ${form} endgültig gelöscht`,
  'grant.given': ({ who, form, whom, details }) => `${who} hat ${form} mit ${whom} als ${details.role ?? '–'} geteilt`,
  'grant.removed': ({ who, form, whom }) => `${who} teilt ${form} nicht mehr mit ${whom}`,
  'draft.saved': ({ who, form, details }) =>
    details.version === undefined
      ? `${who} hat den Entwurf von ${form} geändert`
      : `${who} hat den Entwurf von ${form} auf Version ${details.version} zurückgesetzt`,
  'submission.entered': ({ who, form }) => `${who} hat eine Einsendung zu ${form} erfasst`,
  'submission.status_changed': ({ who, form, details }) =>
    `${who} hat den Status einer Einsendung zu ${form} von ${details.from_status ?? '–'} in ${details.to_status ?? '–'} geändert`,
  'submission.corrected': ({ who, form }) => `${who} hat eine Einsendung zu ${form} berichtigt`,
  'submission.note_added': ({ who, form }) => `${who} hat eine Notiz zu einer Einsendung zu ${form} hinzugefügt`,
  'submission.note_updated': ({ who, form }) => `${who} hat eine Notiz zu einer Einsendung zu ${form} geändert`,
  'submission.note_deleted': ({ who, form }) => `${who} hat eine Notiz zu einer Einsendung zu ${form} gelöscht`,
  'submission.assigned': ({ who, form, whom, details }) =>
    details.assignee === undefined
      ? `${who} hat die Zuweisung einer Einsendung zu ${form} aufgehoben`
      : `${who} hat ${whom} eine Einsendung zu ${form} zugewiesen`,
  'submission.deleted': ({ who, form }) => `${who} hat eine Einsendung zu ${form} in den Papierkorb gelegt`,
  'submission.restored': ({ who, form }) => `${who} hat eine Einsendung zu ${form} aus dem Papierkorb geholt`,
  'submission.erased': ({ who, form }) => `${who} hat eine Einsendung zu ${form} endgültig gelöscht`,
  'submissions.erased': ({ who, form, details }) => `${who} hat Einsendungen zu ${form} endgültig gelöscht: ${details.count ?? '–'}`,
  'submission.marked_as_spam': ({ who, form }) => `${who} hat eine Einsendung zu ${form} als Spam markiert`,
  'submission.released': ({ who, form }) => `${who} hat eine Einsendung zu ${form} aus dem Spam geholt`,
  'submissions.exported': ({ who, form, details }) =>
    `${who} hat die Einsendungen zu ${form} als ${(details.format ?? 'Datei').toUpperCase()} exportiert`,
  'file.downloaded': ({ who, form }) => `${who} hat eine Datei aus ${form} heruntergeladen`,
  'hook.subscribed': ({ who, form }) => `${who} hat eine Anwendung mit ${form} verbunden`,
  'hook.unsubscribed': ({ who, form }) => `${who} hat die Verbindung einer Anwendung mit ${form} beendet`,
  'hook.deactivated': ({ who, details }) =>
    `${who} hat einen Webhook abgeschaltet${details.reason === 'gone' ? ': Die Adresse gibt es nicht mehr' : details.reason === 'failing' ? ': Er ist zu lange gescheitert' : ''}`,
  'webhook.created': ({ who }) => `${who} hat einen Webhook angelegt`,
  'webhook.updated': ({ who }) => `${who} hat einen Webhook geändert`,
  'webhook.deleted': ({ who }) => `${who} hat einen Webhook gelöscht`,
  'webhook_key.rotated': ({ who }) => `${who} hat die Webhook-Schlüssel gewechselt`,
  'delivery.redelivered': ({ who, details }) =>
    details.count === undefined ? `${who} hat eine Zustellung wiederholt` : `${who} hat Zustellungen wiederholt: ${details.count}`,
} satisfies Sentences;

export const sentences = defineWords(en, de);
