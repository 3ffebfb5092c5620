let text = '';

/** The baseline of evaluation: returns the last PUT body for every other request. */
export default {
  async fetch(request) {
    const body = await request.text();
    if (request.method === 'PUT') text = body;
    return new Response(text, { headers: { 'Content-Type': 'application/json' } });
  },
} satisfies ExportedHandler;
