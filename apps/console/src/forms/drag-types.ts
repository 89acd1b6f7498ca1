/** What is dragged onto a folder, as the browser names it. */
export const formDragType = 'application/x-sheaf-form';
export const folderDragType = 'application/x-sheaf-folder';
