let answer = '';

/** What evaluation is measured against: it answers what it was last given, whatever it is asked. */
export default {
  async fetch(request) {
    const body = await request.text();
    if (request.method === 'PUT') answer = body;
    return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
  },
} satisfies ExportedHandler;
