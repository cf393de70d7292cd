"""Books: bilingual editions of aligned texts, in facing columns."""
