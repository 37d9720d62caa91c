/** The page that designs a workflow. */
export const designOf = (id: number) => `/ticket/workflow/design/${id}`;
