export const FormsPage = () => <p>FormsPage</p>;
