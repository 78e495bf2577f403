"""Cases: many named texts, compared in pairs."""
