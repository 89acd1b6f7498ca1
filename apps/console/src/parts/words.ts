import { defineWords } from '../words/words';

export const words = defineWords(
  {
    close: 'Close',
    cancel: 'Cancel',
    undo: 'Undo',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'The browser did not allow copying.',
    tryAgain: 'Try again',
    loadMore: 'Load more',
    requestId: 'Request ID',
    moreActions: 'More actions',
    notifications: 'Notifications',
    loading: 'Loading',
    typeToConfirm: (name: string) => `Type “${name}” to confirm`,
  },
  {
    close: 'Schließen',
    cancel: 'Abbrechen',
    undo: 'Rückgängig',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyFailed: 'Der Browser hat das Kopieren nicht erlaubt.',
    tryAgain: 'Noch einmal versuchen',
    loadMore: 'Mehr laden',
    requestId: 'Anfrage-ID',
    moreActions: 'Weitere Aktionen',
    notifications: 'Benachrichtigungen',
    loading: 'Wird geladen',
    typeToConfirm: (name: string) => `Geben Sie zur Bestätigung „${name}“ ein`,
  },
);
