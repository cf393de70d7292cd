"""Cleaning: filters of bisegments by their texts, profiles of filters, and reports."""
