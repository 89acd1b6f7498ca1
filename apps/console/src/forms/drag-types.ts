/** The types that are dragged onto a folder, as the browser names them. */
export const formDragType = 'application/x-sheaf-form';
export const folderDragType = 'application/x-sheaf-folder';
