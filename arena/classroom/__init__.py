"""A whole class: submissions, games on one machine or many, and feedback."""
