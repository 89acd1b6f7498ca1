import { inEnglish, inFrench, inGerman, inSpanish, type SubmissionWords } from '@sheaf/contracts';

/** The reason for which an archive has not the whole of a file: its bytes are gone, some of them are, or the archive is full. */
export type FileProblem = 'missing' | 'incomplete' | 'beyond';

/** The words that an export for people has: those that the console has as well, and its own. */
export interface ExportWords extends SubmissionWords {
  /** Stands at the end of a text that had to be cut. */
  cut: string;
  /** The names of the sheets: short, and without the characters that Excel refuses in them (`: \ / ? * [ ]`). */
  sheet: string;
  /** The heading of the number of an item of a repeat. */
  item: string;
  aboutSheet: string;
  about: Readonly<
    Record<
      | 'form'
      | 'filter'
      | 'everything'
      | 'search'
      | 'assignee'
      | 'from'
      | 'to'
      | 'changedSince'
      | 'answered'
      | 'exportedAt'
      | 'exportedBy'
      | 'zone'
      | 'versions'
      | 'submissions'
      | 'note',
      string
    >
  >;
  /** The index of an archive of files. */
  index: Readonly<Record<'question' | 'path' | 'name' | 'type' | 'bytes' | 'problem' | FileProblem, string>>;
  notes: {
    sheets: (count: string, rows: string) => string;
    cut: (count: string, most: string) => string;
    unlinked: (count: string, most: string) => string;
  };
}

const en: ExportWords = {
  ...inEnglish,
  cut: '… (truncated; the CSV export has the full text)',
  sheet: 'Submissions',
  item: 'Item',
  aboutSheet: 'About',
  about: {
    form: 'Form',
    filter: 'Filter',
    everything: 'None: all submissions',
    search: 'Search',
    assignee: 'Assigned to',
    from: 'From',
    to: 'Before',
    changedSince: 'Changed since',
    answered: 'answered',
    exportedAt: 'Exported at',
    exportedBy: 'Exported by',
    zone: 'Time zone of all times',
    versions: 'Versions of the form',
    submissions: 'Submissions',
    note: 'Please note',
  },
  index: {
    question: 'Question',
    path: 'File in this archive',
    name: 'Name',
    type: 'Type',
    bytes: 'Bytes',
    problem: 'Problem',
    missing: 'The file is not there any more.',
    incomplete: 'A part of the file is missing.',
    beyond: 'This archive is full. Narrow the filter to have the file.',
  },
  notes: {
    sheets: (count, rows) => `The submissions are on ${count} sheets, because a sheet of this format has at most ${rows} rows.`,
    cut: (count, most) =>
      `Texts that were cut, because a cell of this format has at most ${most} characters: ${count}. The CSV export has them in full.`,
    unlinked: (count, most) =>
      `Files whose names are no links, because a sheet of this format has at most ${most} links: ${count}. Narrow the filter to have them.`,
  },
};

const de: ExportWords = {
  ...inGerman,
  cut: '… (gekürzt; im CSV-Export steht der ganze Text)',
  sheet: 'Einsendungen',
  item: 'Eintrag',
  aboutSheet: 'Über diese Datei',
  about: {
    form: 'Formular',
    filter: 'Filter',
    everything: 'Keiner: alle Einsendungen',
    search: 'Suche',
    assignee: 'Zuständig',
    from: 'Ab',
    to: 'Vor',
    changedSince: 'Geändert seit',
    answered: 'beantwortet',
    exportedAt: 'Exportiert am',
    exportedBy: 'Exportiert von',
    zone: 'Zeitzone aller Zeiten',
    versions: 'Versionen des Formulars',
    submissions: 'Einsendungen',
    note: 'Bitte beachten',
  },
  index: {
    question: 'Frage',
    path: 'Datei in diesem Archiv',
    name: 'Name',
    type: 'Typ',
    bytes: 'Bytes',
    problem: 'Problem',
    missing: 'Die Datei ist nicht mehr vorhanden.',
    incomplete: 'Ein Teil der Datei fehlt.',
    beyond: 'Dieses Archiv ist voll. Mit einem engeren Filter bekommen Sie die Datei.',
  },
  notes: {
    sheets: (count, rows) =>
      `Die Einsendungen stehen auf ${count} Tabellenblättern, weil ein Blatt in diesem Format höchstens ${rows} Zeilen hat.`,
    cut: (count, most) =>
      `Gekürzte Texte, weil eine Zelle in diesem Format höchstens ${most} Zeichen hat: ${count}. Der CSV-Export hat sie ganz.`,
    unlinked: (count, most) =>
      `Dateien, deren Namen keine Links sind, weil ein Blatt in diesem Format höchstens ${most} Links hat: ${count}. Mit einem engeren Filter bekommen Sie sie.`,
  },
};

const fr: ExportWords = {
  ...inFrench,
  cut: '… (tronqué\u00a0; l’export CSV contient le texte entier)',
  sheet: 'Envois',
  item: 'Élément',
  aboutSheet: 'À propos',
  about: {
    form: 'Formulaire',
    filter: 'Filtre',
    everything: 'Aucun\u00a0: tous les envois',
    search: 'Recherche',
    assignee: 'Attribué à',
    from: 'À partir de',
    to: 'Avant',
    changedSince: 'Modifié depuis',
    answered: 'avec réponse',
    exportedAt: 'Exporté le',
    exportedBy: 'Exporté par',
    zone: 'Fuseau horaire de toutes les heures',
    versions: 'Versions du formulaire',
    submissions: 'Envois',
    note: 'À noter',
  },
  index: {
    question: 'Question',
    path: 'Fichier dans cette archive',
    name: 'Nom',
    type: 'Type',
    bytes: 'Octets',
    problem: 'Problème',
    missing: 'Le fichier n’existe plus.',
    incomplete: 'Il manque une partie du fichier.',
    beyond: 'Cette archive est pleine. Un filtre plus étroit donne le fichier.',
  },
  notes: {
    sheets: (count, rows) => `Les envois sont répartis sur ${count} feuilles, car une feuille de ce format a au plus ${rows} lignes.`,
    cut: (count, most) =>
      `Textes tronqués, car une cellule de ce format a au plus ${most} caractères\u00a0: ${count}. L’export CSV les contient en entier.`,
    unlinked: (count, most) =>
      `Fichiers dont le nom n’est pas un lien, car une feuille de ce format a au plus ${most} liens\u00a0: ${count}. Un filtre plus étroit les donne.`,
  },
};

const es: ExportWords = {
  ...inSpanish,
  cut: '… (recortado; la exportación CSV tiene el texto completo)',
  sheet: 'Envíos',
  item: 'Elemento',
  aboutSheet: 'Acerca de',
  about: {
    form: 'Formulario',
    filter: 'Filtro',
    everything: 'Ninguno: todos los envíos',
    search: 'Búsqueda',
    assignee: 'Asignado a',
    from: 'Desde',
    to: 'Antes de',
    changedSince: 'Cambiado desde',
    answered: 'contestada',
    exportedAt: 'Exportado el',
    exportedBy: 'Exportado por',
    zone: 'Zona horaria de todas las horas',
    versions: 'Versiones del formulario',
    submissions: 'Envíos',
    note: 'Tenga en cuenta',
  },
  index: {
    question: 'Pregunta',
    path: 'Archivo en este ZIP',
    name: 'Nombre',
    type: 'Tipo',
    bytes: 'Bytes',
    problem: 'Problema',
    missing: 'El archivo ya no existe.',
    incomplete: 'Falta una parte del archivo.',
    beyond: 'Este ZIP está lleno. Con un filtro más estrecho obtiene el archivo.',
  },
  notes: {
    sheets: (count, rows) => `Los envíos están en ${count} hojas, porque una hoja de este formato tiene como máximo ${rows} filas.`,
    cut: (count, most) =>
      `Textos recortados, porque una celda de este formato tiene como máximo ${most} caracteres: ${count}. La exportación CSV los tiene completos.`,
    unlinked: (count, most) =>
      `Archivos cuyo nombre no es un enlace, porque una hoja de este formato tiene como máximo ${most} enlaces: ${count}. Con un filtro más estrecho los obtiene.`,
  },
};

const words: Readonly<Record<string, ExportWords>> = { en, de, fr, es };

/** Those in the reader's language, or in English. */
export function exportWords(language: string): ExportWords {
  const primary = language.split('-')[0] ?? '';
  return Object.hasOwn(words, primary) ? (words[primary] ?? en) : en;
}
